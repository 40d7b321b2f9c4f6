table first_rest {
    actions = { first_rest_leave; }
    const default_action = first_rest_leave(); size = 1;
}
