import { Injectable } from '@nestjs/common';
import { Database } from 'almanac';
import sql from 'sql-template-tag';

/** Finds users of the site by the employee number in their usermeta. */
@Injectable()
export class Employees {
  constructor(private readonly database: Database) {}

  async find(number: string): Promise<number | undefined> {
    const rows = await this.database.query<{ id: number }>(
      sql`SELECT u.ID AS id FROM ${this.database.table('users')} u
          JOIN ${this.database.table('usermeta')} m ON m.user_id = u.ID
          WHERE m.meta_key = 'employee_number' AND m.meta_value = ${number} LIMIT 2`,
    );
    // A number that two users have identifies neither of them.
    return rows.length === 1 ? Number(rows[0]?.id) : undefined;
  }
}
