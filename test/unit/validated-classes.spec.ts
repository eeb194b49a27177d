import { IsUrl } from 'class-validator';
import { checkedSchemas } from '../../src/openapi/validated-classes.js';

class Addresses {
  @IsUrl() any: string;
  @IsUrl({ require_protocol: true }) absolute: string;
}

describe('what checks say of values', () => {
  it('is format: uri where an address needs a scheme, and a text where it may lack one', () => {
    expect(checkedSchemas(Addresses)).toEqual({
      any: { type: 'string' },
      absolute: { type: 'string', format: 'uri' },
    });
  });
});
