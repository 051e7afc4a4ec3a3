import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMailbox } from '../../../infra/local/mailbox.ts';
import { systemRandom } from '../../../shared/runtime/deps.ts';
import { stillClock } from '../../harness/clock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybook-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines: unknown[] = [];
const about = {
  clock: stillClock(Date.UTC(2026, 2, 10, 12)),
  random: systemRandom,
  log: (...line: unknown[]) => void lines.push(line),
};
const message = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Hello Ada,\n\nhttps://example.com/join/1',
  html: '<p>Hello Ada</p>',
};

test('every message is a file of its own that only its owner can read, and the log says where', async () => {
  const mail = openMailbox(join(folder, 'mail'), about);
  for (let sent = 0; sent < 3; sent++) await mail.send(message);
  const files = readdirSync(join(folder, 'mail'));
  expect(files).toHaveLength(3);
  for (const name of files) {
    const file = join(folder, 'mail', name);
    expect(readFileSync(file, 'utf8')).toBe(
      'To: ada@example.com\nSubject: You are invited\nDate: 2026-03-10T12:00:00.000Z\n\nHello Ada,\n\nhttps://example.com/join/1\n',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lines).toContainEqual(['info', 'a mail was sent', { file }]);
  }
});

test('a subject or a recipient adds no line to the head', async () => {
  await openMailbox(folder, about).send({ ...message, to: 'a@example.com\r\nBcc: b@example.com', subject: 'x\ny' });
  const [name = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, name), 'utf8').split('\n').slice(0, 4)).toEqual([
    'To: a@example.com Bcc: b@example.com',
    'Subject: x y',
    'Date: 2026-03-10T12:00:00.000Z',
    '',
  ]);
});

test('a host without a folder keeps none, and logs nothing of what it says', async () => {
  lines.length = 0;
  await openMailbox(undefined, about).send(message);
  expect(lines).toEqual([['info', 'a mail was sent, and is not kept']]);
  expect(readdirSync(folder)).toEqual([]);
});
