// A self-contained script: the import gives the built file's path inside the extension.
declare module "*?iife" {
  const file: string;
  export default file;
}
