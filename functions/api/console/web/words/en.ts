// Every word of the console in English. Another language is another file with the same shape.
import { auditWords } from './audit.ts';
import { chartWords } from './charts.ts';
import { peopleWords } from './people.ts';
import { personWords } from './person.ts';
import { providersWords } from './providers.ts';
import { rosterWords } from './roster.ts';
import { sandboxWords } from './sandbox.ts';
import { settingsWords } from './settings.ts';
import { shellWords } from './shell.ts';

export const words = {
  ...shellWords,
  ...chartWords,
  ...peopleWords,
  ...personWords,
  ...providersWords,
  ...sandboxWords,
  ...settingsWords,
  ...rosterWords,
  ...auditWords,
};
