// What may ever be lent or gone to: parsed, and not guessed from a prefix (security research, section 8, item 18).
import {describe, expect, it} from "vitest";
import {isLendableUrl, navigableUrl, originOf} from "../../../shared/policy.ts";

const refused = [
  " JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "javascript:alert(1)//http://good.com",
  "file:///etc/passwd",
  "FILE://localhost/etc/passwd",
  "view-source:http://good.com/",
  "data:text/html,<script>alert(1)</script>",
  "blob:http://good.com/1234",
  "filesystem:http://good.com/temporary/a",
  "chrome://settings",
  "chrome-extension://abc/page.html",
  "edge://settings",
  "devtools://devtools/bundled/inspector.html",
  "about:srcdoc",
  "about:config",
  "about:blank#x",
  "about:blank?x",
  "ws://good.com/",
  "ftp://good.com/",
  "mailto:ada@example.com",
  "intent://good.com/#Intent;end",
  "http://",
  "https://",
  "http://[::1",
  "//good.com/",
  "good.com",
  "",
  " ",
  "\0",
];

describe.each(refused)("%j", (url) => {
  it("is never lent, and no agent may go there", () => {
    expect(isLendableUrl(url)).toBe(false);
    expect(navigableUrl(url)).toBeNull();
  });
});

/** What Chrome would make of it is what is checked, so what looks like one place and is another shows its true one. */
const normalised: [string, string][] = [
  ["about:blank", "about:blank"],
  ["ABOUT:blank", "about:blank"],
  ["http://good.com", "http://good.com/"],
  ["  https://good.com/a b  ", "https://good.com/a%20b"],
  ["HTTPS://GOOD.com/", "https://good.com/"],
  ["http:\\\\evil.com\\x", "http://evil.com/x"],
  ["http:evil.com", "http://evil.com/"],
  ["ht\ntp://good.com/", "http://good.com/"],
  ["https://good.com@evil.com/", "https://good.com@evil.com/"],
  ["https://good.com.", "https://good.com./"],
  ["http://0x7f.1:8080/", "http://127.0.0.1:8080/"],
  ["http://2130706433/", "http://127.0.0.1/"],
  ["https://gооd.com/", "https://xn--gd-fmca.com/"],
];

describe.each(normalised)("%j", (url, href) => {
  it(`is gone to as ${href}`, () => {
    expect(isLendableUrl(url)).toBe(true);
    expect(navigableUrl(url)).toBe(href);
  });
});

it("two megabytes of URL are judged like any other", () => {
  expect(isLendableUrl(`http://good.com/${"a".repeat(2_000_000)}`)).toBe(true);
  expect(isLendableUrl(`javascript:${"a".repeat(2_000_000)}`)).toBe(false);
});

it("an origin is scheme, host and port; what has none stands for itself", () => {
  expect(originOf("https://good.com@evil.com:8443/a?b#c")).toBe("https://evil.com:8443");
  expect(originOf("http://good.com:80/")).toBe("http://good.com");
  expect(originOf("about:blank")).toBe("about:blank");
  expect(originOf("not a url")).toBe("not a url");
});
