import { deleteConnected } from './connections.ts';

deleteConnected(50, 1);
