const users = [
  { id: 1, name: "Ada" },
  { id: 2, name: "Lin" },
  { id: 3, name: "Sam" },
];

export function getUser(id) {
  return users.find((user) => user.id === id);
}

export function getUsers() {
  return users;
}
