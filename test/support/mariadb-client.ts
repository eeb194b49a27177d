import { createConnection } from 'mysql2/promise';
import type { RowClient } from './replay.js';

/** Asks rows of a MariaDB database, over one connection. */
export async function mariadbClient(url: string): Promise<RowClient> {
  const connection = await createConnection({
    uri: url,
    charset: 'utf8mb4',
    rowsAsArray: true,
    typeCast: (field) => field.string('utf8'),
  });
  return {
    ask: async (sql) => {
      const [rows] = await connection.query(sql);
      return (rows as [string][]).map(([text]) => JSON.parse(text));
    },
    close: () => connection.end(),
  };
}
