import { SetMetadata } from '@nestjs/common';

/** Leaves a controller out of `/openapi.json`. What `@ApiExcludeController()` sets; Swagger itself is not loaded before its document is asked for. */
export const Undocumented = (): ClassDecorator => SetMetadata('swagger/apiExcludeController', [true]);
