import { tryHistories } from './covered-properties.ts';

tryHistories(12);
