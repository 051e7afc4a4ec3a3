// Every word of the console in English. Another language is another file with the same shape.
import { auditWords } from './audit.ts';
import { chartWords } from './charts.ts';
import { eventsWords } from './events.ts';
import { overviewWords } from './overview.ts';
import { peopleWords } from './people.ts';
import { personWords } from './person.ts';
import { providersWords } from './providers.ts';
import { rosterWords } from './roster.ts';
import { sandboxWords } from './sandbox.ts';
import { settingsWords } from './settings.ts';
import { shellWords } from './shell.ts';
import { webhooksWords } from './webhooks.ts';

export const words = {
  ...shellWords,
  ...peopleWords,
  ...personWords,
  ...chartWords,
  ...overviewWords,
  ...webhooksWords,
  ...eventsWords,
  ...providersWords,
  ...sandboxWords,
  ...settingsWords,
  ...rosterWords,
  ...auditWords,
};
