import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../../functions/runtime/deps.ts';
import { openMailbox } from '../../../infra/local/mailbox.ts';
import { frozenClock } from '../../harness/clock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybook-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines: unknown[] = [];
const clock = frozenClock(Date.UTC(2026, 2, 10, 12));
const options = { clock, random: systemRandom, log: (...line: unknown[]) => void lines.push(line) };
const message = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Hello Ada,\n\nhttps://example.com/join/1',
  html: '<p>Hello Ada</p>',
};
const subjectsOf = (mails: readonly { subject: string }[]) => mails.map(({ subject }) => subject);

describe('a mailbox in a folder', () => {
  test('keeps 200 messages, and no files of older ones', async () => {
    const mail = openMailbox(folder, options);
    for (let sent = 1; sent <= 203; sent++) await mail.send({ ...message, subject: `number ${sent}` });
    expect(readdirSync(folder)).toHaveLength(400);
    expect(subjectsOf(mail.messages()).at(-1)).toBe('number 4');
  });

  test('is created again after its folder was removed', async () => {
    const mail = openMailbox(folder, options);
    rmSync(folder, { recursive: true });
    await mail.send(message);
    expect(mail.messages()).toHaveLength(1);
  });

  test('stores every message as a file that only its owner can read, next to its HTML, and logs the path', async () => {
    const mail = openMailbox(join(folder, 'mail'), options);
    for (let sent = 0; sent < 3; sent++) await mail.send(message);
    const files = readdirSync(join(folder, 'mail'));
    expect(files).toHaveLength(6);
    expect(statSync(join(folder, 'mail')).mode & 0o777).toBe(0o700);
    for (const name of files) expect(statSync(join(folder, 'mail', name)).mode & 0o777).toBe(0o600);
    for (const name of files.filter((each) => each.endsWith('.txt'))) {
      const file = join(folder, 'mail', name);
      expect(readFileSync(file, 'utf8')).toBe(
        'To: ada@example.com\nSubject: You are invited\nDate: 2026-03-10T12:00:00.000Z\n\nHello Ada,\n\nhttps://example.com/join/1\n',
      );
      expect(readFileSync(file.replace(/txt$/, 'html'), 'utf8')).toBe('<p>Hello Ada</p>');
      expect(lines).toContainEqual(['info', 'mail_stored', { file }]);
    }
  });

  test('lists the messages sent before a restart, newest first', async () => {
    const first = openMailbox(folder, options);
    for (const subject of ['one', 'two']) await first.send({ ...message, subject });
    clock.advance(1);
    const second = openMailbox(folder, options);
    await second.send({ ...message, subject: 'three' });
    expect(subjectsOf(second.messages())).toEqual(['three', 'two', 'one']);
    const [, two] = second.messages();
    expect(two).toEqual({ ...message, subject: 'two', id: two?.id, at: '2026-03-10T12:00:00.000Z' });
    expect(second.message(two?.id ?? '')).toEqual(two);
  });

  test('lists the newest 200', async () => {
    for (let sent = 1; sent <= 200; sent++) {
      const name = `2026-03-09T12-00-00.000Z-${`${sent}`.padStart(6, '0')}-00000000.txt`;
      writeFileSync(join(folder, name), `To: x\nSubject: ${sent}\nDate: z\n\nw\n`);
    }
    const mail = openMailbox(folder, options);
    await mail.send(message);
    const shown = subjectsOf(mail.messages());
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([200, message.subject, '2']);
  });

  test('ignores a message that a killed host was writing', async () => {
    const mail = openMailbox(folder, options);
    await mail.send(message);
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.txt'));
    writeFileSync(join(folder, `${name.replace('000001', '000002')}.4711.new`), 'To: eve@exa');
    writeFileSync(join(folder, name.replace('000001', '000003').replace(/txt$/, 'html')), '<p>Hello');
    expect(openMailbox(folder, options).messages()).toHaveLength(1);
  });

  test('opens no other file than a message', async () => {
    const mail = openMailbox(join(folder, 'mail'), options);
    await mail.send(message);
    writeFileSync(join(folder, 'secret.txt'), 'To: x\nSubject: y\nDate: z\n\nw\n');
    writeFileSync(join(folder, 'mail', 'notes.txt'), 'To: x\nSubject: y\nDate: z\n\nw\n');
    for (const id of ['../secret', 'notes', '', `../mail/${mail.messages()[0]?.id}`])
      expect(mail.message(id)).toBeUndefined();
    expect(mail.messages()).toHaveLength(1);
  });
});

describe('a mailbox in memory', () => {
  test('keeps the newest 200, and logs nothing about them', async () => {
    lines.length = 0;
    const mail = openMailbox(undefined, options);
    for (let sent = 1; sent <= 201; sent++) await mail.send({ ...message, subject: `${sent}` });
    const stored = mail.messages();
    expect(stored).toHaveLength(200);
    expect([stored[0]?.subject, stored.at(-1)?.subject]).toEqual(['201', '2']);
    expect(mail.message(stored[0]?.id ?? '')).toEqual(stored[0]);
    expect(mail.message('2026')).toBeUndefined();
    expect(lines).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('a subject or recipient cannot add a header line', async () => {
  await openMailbox(folder, options).send({ ...message, to: 'a@example.com\r\nBcc: b@example.com', subject: 'x\ny' });
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.txt'));
  expect(readFileSync(join(folder, name), 'utf8').split('\n').slice(0, 4)).toEqual([
    'To: a@example.com Bcc: b@example.com',
    'Subject: x y',
    expect.stringMatching(/^Date: /),
    '',
  ]);
});
