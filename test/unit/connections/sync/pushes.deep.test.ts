import { tryOrders } from './pushed-nights.ts';

tryOrders(25);
