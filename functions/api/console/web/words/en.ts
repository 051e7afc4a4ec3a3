// Every word of the console in English. Another language is another file with the same shape.
import { peopleWords } from './people.ts';
import { providersWords } from './providers.ts';
import { sandboxWords } from './sandbox.ts';
import { shellWords } from './shell.ts';

export const words = { ...shellWords, ...peopleWords, ...providersWords, ...sandboxWords };
