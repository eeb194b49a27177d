import { Readable } from 'node:stream';
import { Controller, Get, Header, Query, StreamableFile, UseGuards, ValidationPipe } from '@nestjs/common';
import { Context, EventsService, type RequestContext } from 'almanac';
import { EditorsGuard } from './editors.guard.js';
import { ReportQuery } from './reports.dto.js';

const COLUMNS = ['id', 'title', 'start_date', 'end_date', 'timezone', 'status', 'url'] as const;
const ROWS_AT_ONCE = 200;

/** `GET /reports/events.csv?from=2030-01-01&to=2030-01-31`: an ordinary Nest controller. */
@Controller('reports')
@UseGuards(EditorsGuard)
export class ReportsController {
  constructor(private readonly events: EventsService) {}

  @Get('events.csv')
  @Header('Cache-Control', 'no-store')
  csv(@Query(new ValidationPipe()) query: ReportQuery, @Context() context: RequestContext) {
    return new StreamableFile(Readable.from(this.lines(query, context)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="events.csv"',
    });
  }

  /** The header line, then a line for each event, read page by page while the client takes them. */
  private async *lines({ from, to }: ReportQuery, context: RequestContext): AsyncGenerator<string> {
    yield line(COLUMNS);
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { start_date: from, end_date: to, strict_dates: false, page, per_page: ROWS_AT_ONCE };
      const list = await this.events.list(query, context);
      for (const event of list.events) yield line(COLUMNS.map((column) => event[column]));
      pages = list.total_pages;
    }
  }
}

/** One line of CSV; what a spreadsheet would take for a formula stays text. */
function line(cells: readonly unknown[]): string {
  const quoted = cells.map(
    (cell) =>
      `"${String(cell)
        .replace(/^[=+\-@]/, "'$&")
        .replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}
