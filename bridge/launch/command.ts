// `sublet launch`: a browser for as long as this command runs.
import {type LaunchOptions, launchBrowser} from "./launch.ts";

/**
 * Starts the browser, prints one JSON line `{pid, profile, browser, install_id}`, and resolves when the browser has
 * ended, by itself or because this process was asked to end.
 */
export async function launchCommand({headless, profile, urls}: LaunchOptions): Promise<void> {
  const browser = await launchBrowser({headless, urls, ...(profile !== undefined && {profile})});
  const stop = () => void browser.stop();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  const {pid, installId} = browser;
  process.stdout.write(
    `${JSON.stringify({pid, profile: browser.profile, browser: browser.browser, install_id: installId})}\n`,
  );
  await browser.exited;
  await browser.stop();
  for (const signal of signals) process.off(signal, stop);
}
