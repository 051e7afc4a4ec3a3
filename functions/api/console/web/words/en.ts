// Every word of the console in English. Another language is another file with the same shape.
import { shellWords } from './shell.ts';

export const words = { ...shellWords };
