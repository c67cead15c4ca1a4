// Pure rules on what may ever be lent or gone to (security 4.2), and on what counts as a secret (contract 2.8).

/** The page schemes that Sublet works with, parsed and not guessed from a prefix. */
export function isLendableUrl(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === null) return false;
  if (parsed.protocol === "about:") return parsed.href === "about:blank";
  return parsed.protocol === "http:" || parsed.protocol === "https:";
}

/** The URL as Chrome would go to it, or null when it is not one that an agent may name. */
export function navigableUrl(url: string): string | null {
  return isLendableUrl(url) ? (parseUrl(url)?.href ?? null) : null;
}

export function originOf(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null || parsed.origin === "null" ? url : parsed.origin;
}

function parseUrl(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
