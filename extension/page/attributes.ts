// The two questions that are asked most, in short: the script has to stay small (spec 5.2).

export const attr = (element: Element, name: string): string | null => element.getAttribute(name);

export const has = (element: Element, name: string): boolean => element.hasAttribute(name);
