import { IsUrl } from 'class-validator';
import { checkedSchemas } from '../../src/openapi/validated-classes.js';

class Addresses {
  @IsUrl() any: string;
  @IsUrl({ require_protocol: true }) absolute: string;
}

describe('the documented schema of validated values', () => {
  it('has format: uri where a URL requires a scheme, and is a string where it may lack one', () => {
    expect(checkedSchemas(Addresses)).toEqual({
      any: { type: 'string' },
      absolute: { type: 'string', format: 'uri' },
    });
  });
});
