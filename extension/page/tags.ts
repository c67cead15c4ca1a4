// Which kind of HTML element one is, in short: the script has to stay small (spec 5.2).

export const isHtmlElement = (element: unknown): element is HTMLElement => element instanceof HTMLElement;
export const isInput = (element: unknown): element is HTMLInputElement => element instanceof HTMLInputElement;
export const isTextArea = (element: unknown): element is HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement;
export const isSelect = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement;
export const isLabel = (element: unknown): element is HTMLLabelElement => element instanceof HTMLLabelElement;
