// Every word of the console in English. Another language is another file with the same shape.
import { eventsWords } from './events.ts';
import { peopleWords } from './people.ts';
import { shellWords } from './shell.ts';
import { webhooksWords } from './webhooks.ts';

export const words = { ...shellWords, ...peopleWords, ...webhooksWords, ...eventsWords };
