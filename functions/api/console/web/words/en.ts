// Every word of the console in English. Another language is another folder and file of the same type.
import { auditWords } from './en/audit.ts';
import { chartWords } from './en/charts.ts';
import { consolidationWords } from './en/consolidation.ts';
import { eventsWords } from './en/events.ts';
import { overviewWords } from './en/overview.ts';
import { peopleWords } from './en/people.ts';
import { personWords } from './en/person.ts';
import { providersWords } from './en/providers.ts';
import { rosterWords } from './en/roster.ts';
import { sandboxWords } from './en/sandbox.ts';
import { settingsWords } from './en/settings.ts';
import { shellWords } from './en/shell.ts';
import { webhooksWords } from './en/webhooks.ts';

/** Every key of the parts. It is `never` if two parts have the same key, so that no word is lost. */
type Combined<Parts extends readonly object[]> = Parts extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? keyof First & keyof Combined<Rest> extends never
    ? First & Combined<Rest>
    : never
  : unknown;

const combine = <Parts extends readonly object[]>(...parts: Parts): Combined<Parts> => Object.assign({}, ...parts);

export const words = combine(
  shellWords,
  peopleWords,
  personWords,
  consolidationWords,
  chartWords,
  overviewWords,
  webhooksWords,
  eventsWords,
  providersWords,
  sandboxWords,
  settingsWords,
  rosterWords,
  auditWords,
);
