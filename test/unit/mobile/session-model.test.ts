import { testSessions } from './session-model.ts';

testSessions(25);
