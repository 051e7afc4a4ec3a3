import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFileIfExists, removeDrafts, writeFileAtomically } from '../../../infra/local/data-files.ts';

test('drafts of a killed process are removed, and every complete file is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-files-'));
  try {
    writeFileAtomically(join(folder, 'stream.json'), '{}');
    for (const name of ['stream.json.4711.new', 'demo.json.1.new', 'notes.new', 'stream.json.new.4711'])
      writeFileSync(join(folder, name), 'half');
    removeDrafts(folder);
    expect(readdirSync(folder).sort()).toEqual(['notes.new', 'stream.json', 'stream.json.new.4711']);
    expect(readFileIfExists(join(folder, 'stream.json'))).toBe('{}');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
