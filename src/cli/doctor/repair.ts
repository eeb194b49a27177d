import type { CalendarOptionsService } from '../../calendar/calendar-options.service.js';
import type { Transaction } from '../../database/transactions.js';
import type { EventTablesService } from '../../resources/events/event-tables.service.js';

/** What a fix writes with: the server's own services, within one transaction. */
export interface Repair {
  transaction: Transaction;
  eventTables: EventTablesService;
  calendarOptions: CalendarOptionsService;
}
