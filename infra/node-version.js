// Loaded before every npm script's entry. It names the required Node version instead of failing on
// the first TypeScript file.
import './compile-cache.js';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Daybook requires Node 24 (the major version of the Lambda runtime); this is Node ${process.versions.node}.\n` +
      'Run it through npm (npm start, npm test): npm ci installs Node 24 into node_modules, and npm puts it first on the PATH.\n' +
      'If npm ci skipped install scripts, run: npm rebuild node',
  );
  process.exit(1);
}
