// The local mailbox: stores mail instead of sending it, in files of the data folder or, without
// one, in memory. /mailbox shows it.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log, Mail, MailMessage, Random } from '../../shared/platform/ports.ts';
import { readFileIfExists, writeFileAtomically } from './data-files.ts';

export interface StoredMail extends MailMessage {
  id: string;
  /** When it was sent, in ISO 8601. */
  at: string;
}

export interface Mailbox extends Mail {
  /** Newest first, at most 200. */
  messages(): StoredMail[];
  message(id: string): StoredMail | undefined;
}

export type MailListener = (message: MailMessage) => void;

const maxMessages = 200;

export function openMailbox(
  folder: string | undefined,
  { clock, random, log, onMail }: { clock: Clock; random: Random; log: Log; onMail?: MailListener | undefined },
): Mailbox {
  const { store, ...reading } = folder === undefined ? createMemoryStore() : createFolderStore(folder, log);
  let sentCount = 0;
  return {
    ...reading,
    async send({ to, subject, text, html }) {
      const at = new Date(clock.now()).toISOString();
      sentCount += 1;
      // Sorts by time, then by send order. The random suffix separates messages that two runs of a
      // host sent at the same moment.
      const order = `${sentCount}`.padStart(6, '0');
      const id = `${at.replaceAll(':', '-')}-${order}-${Buffer.from(random.bytes(4)).toString('hex')}`;
      store({ id, at, to: toOneLine(to), subject: toOneLine(subject), text, html });
      onMail?.({ to, subject, text, html });
    },
  };
}

interface MailStore extends Omit<Mailbox, 'send'> {
  store(mail: StoredMail): void;
}

function createMemoryStore(): MailStore {
  const stored: StoredMail[] = [];
  return {
    store(mail) {
      stored.unshift(mail);
      stored.length = Math.min(stored.length, maxMessages);
    },
    messages: () => [...stored],
    message: (id) => stored.find((mail) => mail.id === id),
  };
}

const fileNamePattern = /^(\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-\d{6,}-[0-9a-f]{8})\.txt$/;
const mailFilePattern = /^To: ([^\n]*)\nSubject: ([^\n]*)\nDate: ([^\n]*)\n\n(.*)\n$/s;

function createFolderStore(folder: string, log: Log): MailStore {
  function read(id: string): StoredMail | undefined {
    const parts = mailFilePattern.exec(readFileIfExists(join(folder, `${id}.txt`)) ?? '');
    if (!parts) return undefined;
    const [, to = '', subject = '', at = '', text = ''] = parts;
    return { id, at, to, subject, text, html: readFileIfExists(join(folder, `${id}.html`)) ?? '' };
  }
  const ensureFolder = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** Newest first. */
  const ids = () =>
    readdirSync(folder)
      .flatMap((name) => fileNamePattern.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  ensureFolder();
  return {
    store({ id, at, to, subject, text, html }) {
      // A user who empties the mailbox may have removed its folder.
      ensureFolder();
      const file = join(folder, `${id}.txt`);
      // The text is written last, so that a message with a text always has its HTML too.
      writeFileAtomically(join(folder, `${id}.html`), html);
      writeFileAtomically(file, `To: ${to}\nSubject: ${subject}\nDate: ${at}\n\n${text}\n`);
      for (const old of ids().slice(maxMessages))
        for (const kind of ['txt', 'html']) rmSync(join(folder, `${old}.${kind}`), { force: true });
      log('info', 'mail_stored', { file });
    },
    messages: () =>
      ids()
        .slice(0, maxMessages)
        .flatMap((id) => read(id) ?? []),
    // The id comes from a URL, so it must match the file name pattern of this folder.
    message: (id) => (fileNamePattern.test(`${id}.txt`) ? read(id) : undefined),
  };
}

/** Prevents a recipient or subject from adding headers. */
const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
