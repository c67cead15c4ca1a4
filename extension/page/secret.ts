// Which fields hold secrets (contract 2.8): their values read "[redacted]" wherever they would be shown.
import {attr} from "./attributes.ts";
import {isInput, isTextArea} from "./tags.ts";
import {fold, textOf} from "./text.ts";

export const REDACTED = "[redacted]";

/** Fields that were password fields once: "show password" turns them into plain text. */
const oncePassword = new WeakSet<Element>();

const secretTokens = /^(current-password|new-password|one-time-code|cc-.+)$/;
const secretWords =
  /pass[-_ ]?(word|code|phrase|wd)|\bpwd|passwd|\botp\b|one[-_ ]?time|\bcv[vc]2?\b|\bcsc\b|card[-_ ]?(num|no\b|code)|cardnumber|cc[-_ ]?(num|csc|exp)|security[-_ ]?code|\bpin\b|secret|\bssn\b|api[-_ ]?key|(access|auth)[-_ ]?token|verification[-_ ]?code|kennwort|passwort|contrase|mot de passe|senha|пароль|密码|密碼|パスワード|비밀번호/i;

export function isSecret(element: Element): boolean {
  if (!isInput(element) && !isTextArea(element)) return false;
  if (oncePassword.has(element)) return true;
  if (element.type === "password") {
    oncePassword.add(element);
    return true;
  }
  if (!holdsText.has(element.type)) return false;
  if (
    (attr(element, "autocomplete") ?? "")
      .toLowerCase()
      .split(/\s+/)
      .some((token) => secretTokens.test(token))
  )
    return true;
  return secretWords.test(wordsOf(element));
}

const holdsText = new Set(["text", "search", "tel", "url", "email", "number", "textarea"]);

/** All that names the field: attributes split into words (cardNumber, card_number) and its labels. */
function wordsOf(element: HTMLInputElement | HTMLTextAreaElement): string {
  const attributes = ["name", "id", "aria-label", "placeholder", "data-testid"]
    .map((name) => attr(element, name) ?? "")
    .map((text) => text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_.[\]-]+/g, " "));
  const labels = Array.from(element.labels ?? [], (label) => textOf(label, {limit: 100}));
  return fold([...attributes, ...labels].join(" "));
}

/** A value as it may be shown. */
export const shownValue = (element: Element, value: string): string =>
  value !== "" && isSecret(element) ? REDACTED : value;
