import { testDeletedWhileConnecting } from './deleted-people.ts';

testDeletedWhileConnecting([0, 1, 2, 4, 9]);
