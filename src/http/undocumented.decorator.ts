import { SetMetadata } from '@nestjs/common';

/** Leaves a controller out of `/openapi.json`, like `@ApiExcludeController()`, without loading Swagger at start. */
export const Undocumented = (): ClassDecorator => SetMetadata('swagger/apiExcludeController', [true]);
