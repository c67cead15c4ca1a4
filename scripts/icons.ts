// Renders extension/icons/sublet.svg to the sizes that Chrome asks for. Run it after a change of the drawing:
// npx tsx scripts/icons.ts
import {readFile, writeFile} from "node:fs/promises";
import {fileURLToPath} from "node:url";
import {chromium} from "playwright-core";
import {findBrowser} from "../bridge/launch/browsers.ts";

const sizes = [16, 32, 48, 128];
const folder = new URL("../extension/icons/", import.meta.url);

const drawing = await readFile(new URL("sublet.svg", folder));
const source = `data:image/svg+xml;base64,${drawing.toString("base64")}`;
const browser = await chromium.launch({
  executablePath: findBrowser().path,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const page = await browser.newPage();
for (const size of sizes) {
  await page.setViewportSize({width: size, height: size});
  await page.setContent(`<style>body{margin:0}</style><img src="${source}" width="${size}" height="${size}">`);
  await page.locator("img").evaluate((image: HTMLImageElement) => image.decode());
  const path = fileURLToPath(new URL(`${size}.png`, folder));
  await writeFile(path, await page.locator("img").screenshot({omitBackground: true}));
  console.log(path);
}
await browser.close();
