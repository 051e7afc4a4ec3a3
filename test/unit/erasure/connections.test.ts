import { deleteConnected } from './connections.ts';

deleteConnected(15, 3);
