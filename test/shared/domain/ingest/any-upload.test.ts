import { beforeEach } from 'vitest';
import { bringAny, bringManyDaysAndSessions, open } from './any-upload.ts';

beforeEach(open);

bringManyDaysAndSessions();
bringAny(8);
