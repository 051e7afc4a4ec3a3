import { wakeMany } from './sweep-fixture.ts';

wakeMany(100_000);
