import { testOrders } from './pushed-nights.ts';

testOrders(25);
