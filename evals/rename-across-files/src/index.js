export { greet } from "./greeting.js";
export { nameList } from "./report.js";
export { getUser, getUsers } from "./users.js";
