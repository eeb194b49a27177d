import { createConnection } from 'mysql2/promise';
import type { RowClient } from './replay.js';

/** Queries a MariaDB database over one connection; latin1 bytes are read as UTF-8, as PHP does. */
export async function mariadbClient(url: string, charset = 'utf8mb4'): Promise<RowClient> {
  const connection = await createConnection({
    uri: url,
    charset: 'utf8mb4',
    rowsAsArray: true,
    typeCast: (field) => field.string('utf8'),
  });
  await connection.query(`SET NAMES ${charset}`);
  return {
    ask: async (sql) => {
      const [rows] = await connection.query(sql);
      return (rows as [string][]).map(([text]) => JSON.parse(text));
    },
    close: () => connection.end(),
  };
}
