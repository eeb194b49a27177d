import type { CalendarOptionsService } from '../../calendar/calendar-options.service.js';
import type { Transaction } from '../../database/transactions.js';
import type { EventTablesService } from '../../resources/events/event-tables.service.js';

/** The services of the server that a fix writes with, in one transaction. */
export interface Repair {
  transaction: Transaction;
  eventTables: EventTablesService;
  calendarOptions: CalendarOptionsService;
}
