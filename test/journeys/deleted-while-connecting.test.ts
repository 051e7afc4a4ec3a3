import { testDeletedWhileConnecting } from './deleted-users.ts';

testDeletedWhileConnecting([0, 1, 2, 4, 9]);
