import { IsSearchText } from '../http/params/checks.js';
import { RestArg } from '../http/params/rest-arg.js';
import { CorePostListQuery, EnumArg, IdsArg } from './list.dto.js';

const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'];

/** Parameters of `/media`. */
export class ListMediaQuery extends CorePostListQuery {
  @RestArg({ type: 'string', description: 'Text in title or file name.' })
  @IsSearchText()
  override search?: string;
  @EnumArg('Only files of this kind.', MEDIA_TYPES) media_type?: string;
  @RestArg({ type: 'string', description: 'Only files of this MIME type.' })
  mime_type?: string;
  @IdsArg('Only files of these records; 0 for those of none.') parent?: number[];
  @IdsArg('Only files of other records.') parent_exclude?: number[];
}
