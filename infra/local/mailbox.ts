// Mail of a laptop: each message becomes a file of the data folder, to be read instead of received.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log, Mail, Random } from '../../shared/engine/ports.ts';
import { writeFileWhole } from './data-files.ts';

/** Without a folder, which a host in memory has none of, a message is only told of. */
export function openMailbox(
  folder: string | undefined,
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
): Mail {
  return {
    async send({ to, subject, text }) {
      if (folder === undefined) return log('info', 'a mail was sent, and is not kept');
      const at = new Date(clock.now()).toISOString();
      const name = `${at.replaceAll(':', '-')}-${Buffer.from(random.bytes(4)).toString('hex')}.txt`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileWhole(
        join(folder, name),
        `To: ${onOneLine(to)}\nSubject: ${onOneLine(subject)}\nDate: ${at}\n\n${text}\n`,
      );
      log('info', 'a mail was sent', { file: join(folder, name) });
    },
  };
}

/** Whoever names a recipient or a subject adds no header to it. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
