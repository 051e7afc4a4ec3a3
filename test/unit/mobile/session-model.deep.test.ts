import { trySessions } from './session-model.ts';

trySessions(120);
