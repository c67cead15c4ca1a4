// The version of this package, from its one place. (bundled in by the build)
import manifest from "../package.json" with {type: "json"};

export const VERSION: string = manifest.version;
