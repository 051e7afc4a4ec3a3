import { oneTo } from '../harness/outbox.ts';
import { testDeletedWhileConnecting } from './deleted-people.ts';

testDeletedWhileConnecting(oneTo(25).map((n) => n - 1));
