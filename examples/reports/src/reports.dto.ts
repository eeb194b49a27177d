import { Matches } from 'class-validator';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The days that a report covers, each `YYYY-MM-DD` on the site's clock. */
export class ReportQuery {
  @Matches(DAY, { message: 'from must be a day such as 2030-01-31.' })
  from: string;
  @Matches(DAY, { message: 'to must be a day such as 2030-01-31.' })
  to: string;
}
