import { CorePageQuery, EnumArg } from './list.dto.js';

/** Parameters of `/users`. */
export class ListUsersQuery extends CorePageQuery {
  @EnumArg('Without effect: only authors are listed.', ['authors']) who?: string;
}
