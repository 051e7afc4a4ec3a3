// Adds up vitest's JSON reports: prints what failed, and last "N passed, N failed".
// Arguments: the folder of the reports, then the names of the stages that failed.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [folder, ...failedStages] = process.argv.slice(2);
let passed = 0;
const failures = [];
const explained = new Set();

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  passed += report.numPassedTests;
  for (const file of report.testResults) {
    const before = failures.length;
    for (const { status, fullName } of file.assertionResults) {
      if (status === 'failed') failures.push(`${path.relative('.', file.name)}: ${fullName}`);
    }
    const brokeOutsideItsTests = file.status === 'failed' && failures.length === before;
    if (brokeOutsideItsTests)
      failures.push(`${path.relative('.', file.name)}: ${file.message.split('\n')[0] || 'broke outside its tests'}`);
    if (failures.length > before) explained.add(path.basename(name, '.json'));
  }
}
for (const stage of failedStages) {
  if (!explained.has(stage)) failures.push(`stage ${stage}`);
}

console.log('');
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
