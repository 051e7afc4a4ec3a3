import { oneTo } from '../harness/outbox.ts';
import { testDeletedWhileConnecting } from './deleted-users.ts';

testDeletedWhileConnecting(oneTo(25).map((n) => n - 1));
