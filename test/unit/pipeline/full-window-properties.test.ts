import { tryHistories } from './full-window-properties.ts';

tryHistories(12);
