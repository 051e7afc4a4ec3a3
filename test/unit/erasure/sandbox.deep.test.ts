import { deleteWhileFed } from './sandbox.ts';

deleteWhileFed(1);
