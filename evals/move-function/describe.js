import { area } from "./shapes.js";

export const describe = (shape) => `${shape.width} x ${shape.height} = ${area(shape)}`;
