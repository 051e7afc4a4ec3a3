// Loaded before every npm script's entry: says plainly which Node is needed instead of failing on the first TypeScript file.
import './compile-cache.js';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Daybook runs on Node 24 (the Lambda runtime's major); this is Node ${process.versions.node}.\n` +
      'Run it through npm (npm start, npm test): npm ci installs Node 24 into node_modules and npm puts it first on the PATH.\n' +
      'If npm ci skipped install scripts, run: npm rebuild node',
  );
  process.exit(1);
}
