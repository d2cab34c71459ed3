import { getUser } from "./users.js";

export const greet = (id) => `Hello, ${getUser(id).name}!`;
