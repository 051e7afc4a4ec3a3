// Mail of a laptop: kept instead of sent, in files of the data folder or, without one, in memory, and shown at /mailbox.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log, Mail, MailMessage, Random } from '../../shared/platform/ports.ts';
import { readFileIfThere, writeFileWhole } from './data-files.ts';

export interface KeptMail extends MailMessage {
  id: string;
  /** When it was sent, in ISO 8601. */
  at: string;
}

export interface Mailbox extends Mail {
  /** The newest first, at most 200. */
  messages(): KeptMail[];
  message(id: string): KeptMail | undefined;
}

const mostMessages = 200;

export function openMailbox(
  folder: string | undefined,
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
): Mailbox {
  const { keep, ...reading } = folder === undefined ? inMemory() : inFolder(folder, log);
  let sent = 0;
  return {
    ...reading,
    async send({ to, subject, text, html }) {
      const at = new Date(clock.now()).toISOString();
      sent += 1;
      // By time, then in the order of sending; the rest keeps apart what two runs of a host sent in one moment.
      const order = `${sent}`.padStart(6, '0');
      const id = `${at.replaceAll(':', '-')}-${order}-${Buffer.from(random.bytes(4)).toString('hex')}`;
      keep({ id, at, to: onOneLine(to), subject: onOneLine(subject), text, html });
    },
  };
}

interface Keeping extends Omit<Mailbox, 'send'> {
  keep(mail: KeptMail): void;
}

function inMemory(): Keeping {
  const kept: KeptMail[] = [];
  return {
    keep(mail) {
      kept.unshift(mail);
      kept.length = Math.min(kept.length, mostMessages);
    },
    messages: () => [...kept],
    message: (id) => kept.find((mail) => mail.id === id),
  };
}

const fileName = /^(\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-\d{6,}-[0-9a-f]{8})\.txt$/;
const written = /^To: ([^\n]*)\nSubject: ([^\n]*)\nDate: ([^\n]*)\n\n(.*)\n$/s;

function inFolder(folder: string, log: Log): Keeping {
  function read(id: string): KeptMail | undefined {
    const parts = written.exec(readFileIfThere(join(folder, `${id}.txt`)) ?? '');
    if (!parts) return undefined;
    const [, to = '', subject = '', at = '', text = ''] = parts;
    return { id, at, to, subject, text, html: readFileIfThere(join(folder, `${id}.html`)) ?? '' };
  }
  const made = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** The newest first. */
  const ids = () =>
    readdirSync(folder)
      .flatMap((name) => fileName.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  made();
  return {
    keep({ id, at, to, subject, text, html }) {
      // Whoever empties the mailbox may have removed its folder.
      made();
      const file = join(folder, `${id}.txt`);
      // The text last: whoever finds it finds its document too.
      writeFileWhole(join(folder, `${id}.html`), html);
      writeFileWhole(file, `To: ${to}\nSubject: ${subject}\nDate: ${at}\n\n${text}\n`);
      for (const old of ids().slice(mostMessages))
        for (const kind of ['txt', 'html']) rmSync(join(folder, `${old}.${kind}`), { force: true });
      log('info', 'a mail was sent', { file });
    },
    messages: () =>
      ids()
        .slice(0, mostMessages)
        .flatMap((id) => read(id) ?? []),
    // Asked for by whoever types an address: it names a file of this folder, or nothing.
    message: (id) => (fileName.test(`${id}.txt`) ? read(id) : undefined),
  };
}

/** Whoever names a recipient or a subject adds no header to it. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
